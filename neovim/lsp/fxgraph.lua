-- The server's entry for vim.lsp.enable('fxgraph'). Neovim 0.11 or newer reads it from the runtime path.

---@type vim.lsp.Config
return {
  cmd = { 'fxgraph', 'serve' },
  -- Not the workspace: nothing that lies there may be picked up by the server's interpreter.
  cmd_cwd = vim.env.VIMRUNTIME,
  filetypes = { 'fxgraph' },
  root_markers = { 'pyproject.toml', '.git' },
}
