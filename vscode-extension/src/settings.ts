import { type ConfigurationChangeEvent, workspace } from "vscode";

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
