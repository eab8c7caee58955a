/**
 * Dumps in documents of other languages: read as FX graphs where the user said so, once asked. The choice is kept for
 * the workspace, for each language by itself.
 */
import { commands, Disposable, type ExtensionContext, languages, type Memento, type TextDocument, window, workspace } from "vscode";
import { ASKED, isDump, LOOKED_AT } from "./detect.ts";
import { detects, keepsPython } from "./settings.ts";

export const LANGUAGE = "fxgraph";
const READ = "Read as FX Graph";
const LEAVE = "Leave as It Is";
const CHOICES = "readAsFxGraph";
/** Changes shorter than this are typing, not a paste or more lines of a log. */
const PASTE = 100;

type Choices = Partial<Record<string, boolean>>;

/** Watches what is on the screen, and adds the commands "Read as FX graph" and "Forget which files to read". */
export function createOffer({ workspaceState }: ExtensionContext): Disposable {
  /** Documents that were settled once, by their address: the user may choose otherwise afterwards. */
  const settled = new Set<string>();
  /** Languages that were asked about since the window opened: who closed the question is not asked again. */
  const asked = new Set<string>();

  async function consider(document: TextDocument | undefined): Promise<void> {
    if (document === undefined || settled.has(address(document))) {
      return;
    }
    if (document.languageId === LANGUAGE) {
      settled.add(address(document));
      if (keepsPython(document) && document.uri.path.endsWith(".py")) {
        await languages.setTextDocumentLanguage(document, "python");
      }
    } else if (mayHold(document) && isDump(beginning(document), document.languageId)) {
      await settle(document);
    }
  }

  async function settle(document: TextDocument): Promise<void> {
    const { languageId } = document;
    let wanted = choices(workspaceState)[languageId];
    if (wanted === undefined) {
      if (asked.has(languageId)) {
        return;
      }
      asked.add(languageId);
      wanted = await ask(document);
      if (wanted === undefined) {
        return;
      }
      await workspaceState.update(CHOICES, { ...choices(workspaceState), [languageId]: wanted });
    }
    settled.add(address(document));
    if (wanted && !document.isClosed && document.languageId === languageId) {
      await languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  }

  async function read(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document !== undefined) {
      settled.add(address(document));
      await languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  }

  const onScreen = (document: TextDocument) => document === window.activeTextEditor?.document;
  const watching = Disposable.from(
    commands.registerCommand("fxgraph.read", read),
    commands.registerCommand("fxgraph.forgetChoices", () => {
      asked.clear();
      settled.clear();
      return workspaceState.update(CHOICES, undefined);
    }),
    window.onDidChangeActiveTextEditor((editor) => void consider(editor?.document)),
    // Also told when a document gets another language, by the user or by the editor's own guess after a paste.
    workspace.onDidOpenTextDocument((document) => onScreen(document) && void consider(document)),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      onScreen(document) && contentChanges.some(({ text }) => text.length >= PASTE) && void consider(document)),
    // A document that only gets another language is closed, too, but stays in the list.
    workspace.onDidCloseTextDocument((document) => workspace.textDocuments.includes(document) || settled.delete(address(document))),
  );
  void consider(window.activeTextEditor?.document);
  return watching;
}

/** True: read as an FX graph; false: leave it; undefined where the question was closed. */
async function ask(document: TextDocument): Promise<boolean | undefined> {
  const name = document.uri.path.split("/").at(-1);
  const answer = await window.showInformationMessage(
    `${name} holds printed FX graphs. Your choice is kept for files like it (${document.languageId}) in this workspace.`, READ, LEAVE,
  );
  return answer === undefined ? undefined : answer === READ;
}

function mayHold(document: TextDocument): boolean {
  const { languageId, uri } = document;
  return (
    ASKED.some((language) => language === languageId) && detects(document) && !(languageId === "python" && keepsPython(document)) &&
    // Not the panels, histories and outputs that are documents, too.
    (document.isUntitled || workspace.fs.isWritableFileSystem(uri.scheme) === true)
  );
}

/** The first lines, as far as they are looked at: never the whole of a long document. */
function beginning(document: TextDocument): string {
  let text = "";
  for (let line = 0; line < document.lineCount && text.length < LOOKED_AT; line++) {
    text += document.lineAt(line).text.slice(0, LOOKED_AT) + "\n";
  }
  return text;
}

function choices(state: Memento): Choices {
  return state.get<Choices>(CHOICES, {});
}

const address = ({ uri }: TextDocument): string => uri.toString();
