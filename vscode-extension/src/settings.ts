import { type ConfigurationChangeEvent, type TextDocument, workspace } from "vscode";

const SECTION = "fxgraph";

/** The interpreter of the user's settings; values from a workspace do not count, whatever their scope. */
export function interpreterSetting(): string {
  const values = workspace.getConfiguration(SECTION).inspect<unknown>("interpreter");
  const value = values?.globalValue ?? values?.defaultValue;
  return typeof value === "string" ? value : "";
}

export function changesInterpreter(event: ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration(`${SECTION}.interpreter`);
}

/** Whether to look for dumps in a document of another language. */
export function detects(document: TextDocument): boolean {
  return workspace.getConfiguration(SECTION, document).get("detectDumps", true);
}

/** Whether files that end in `.py` stay Python, dumps or not. */
export function keepsPython(document: TextDocument): boolean {
  return workspace.getConfiguration(SECTION, document).get("keepPython", false);
}
