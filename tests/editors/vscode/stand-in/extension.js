const vscode = require("vscode");

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: "stand-in", path: process.env.STAND_IN_PYTHON }),
      resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
