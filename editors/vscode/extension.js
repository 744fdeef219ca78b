// Starts `saltus lsp` and connects it with the editor: all that is known of models is known by the server.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["modelica", "bondgraph", "dymola", "chi", "petrinet", "statemachine"];

/** @type {LanguageClient | undefined} */
let client;

/** The program of the settings. One that is a path is sought in the folder that is open. */
function command() {
  const named = vscode.workspace.getConfiguration("saltus").get("command", "saltus");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const inside = folder === undefined ? named : path.resolve(folder, named);
  return named !== path.basename(named) && fs.existsSync(inside) ? inside : named;
}

async function start() {
  const settings = vscode.workspace.getConfiguration("saltus");
  const program = command();
  const started = new LanguageClient(
    "saltus",
    "Saltus",
    { command: program, args: ["lsp"] },
    {
      documentSelector: LANGUAGES.map((language) => ({ language })),
      initializationOptions: { libraries: settings.get("libraries", []), units: settings.get("units", false) },
      synchronize: {
        configurationSection: "saltus",
        fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{mo,bg,dym,chi,pn,sm}"),
      },
    },
  );
  try {
    await started.start();
    client = started;
  } catch (error) {
    const hint = "pip install 'saltus[editor]', and name the program in the setting saltus.command";
    vscode.window.showErrorMessage(`Saltus: ${program} lsp cannot be started (${error}). ${hint}`);
  }
}

async function stop() {
  const ended = client;
  client = undefined;
  await ended?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("saltus.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("saltus.command")) {
        await restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
