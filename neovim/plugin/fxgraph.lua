-- :FxGraph, everywhere: `:FxGraph read` makes a dump of any buffer.
if vim.g.loaded_fxgraph then
  return
end
vim.g.loaded_fxgraph = true

vim.api.nvim_create_user_command('FxGraph', function(given) require('fxgraph.commands').run(given.args) end, {
  nargs = '+',
  complete = function(start, line) return require('fxgraph.commands').complete(start, line) end,
  desc = 'what can be done with a printed FX graph',
})
