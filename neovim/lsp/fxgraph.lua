-- The server's entry for vim.lsp.enable('fxgraph'). Neovim 0.11 or newer reads it from the runtime path.

---@type vim.lsp.Config
return {
  cmd = { 'fxgraph', 'serve' },
  -- Not the workspace: nothing that lies there may be picked up by the server's interpreter.
  cmd_cwd = vim.env.VIMRUNTIME,
  filetypes = { 'fxgraph' },
  root_markers = { 'pyproject.toml', '.git' },
  -- What lenses and actions do: the server offers the slice to editors that say they copy it.
  commands = require('fxgraph.commands').of_server,
  capabilities = { experimental = { fxgraph = { commands = { 'fxgraph.copySlice' } } } },
  -- Settings go along with the first request: Neovim asks for findings before the server can have asked for settings,
  -- and does not ask again when told to.
  before_init = function(parameters, config)
    if next(config.settings or {}) then
      parameters.initializationOptions = config.settings
    end
  end,
}
