-- Commands of buffers that hold printed FX graphs.
local function command(name, run, options)
  vim.api.nvim_buf_create_user_command(0, name, run, options)
  vim.b.undo_ftplugin = (vim.b.undo_ftplugin or '') .. ' | silent! delcommand -buffer ' .. name
end

command('FxgraphView', function(given) require('fxgraph.commands').view(given.args) end, {
  nargs = 1,
  complete = function(start)
    return vim.tbl_filter(function(kind) return vim.startswith(kind, start) end, { 'graph', 'code', 'table', 'bare' })
  end,
  desc = 'the graph at the cursor as print(graph), as code, as a table, or without the prefixes of a log',
})
command('FxgraphFind', function(given) require('fxgraph.commands').find(given.args) end, {
  nargs = '+',
  desc = 'the nodes of this dump that meet a filter',
})
command('FxgraphCopySlice', function() require('fxgraph.commands').copy_slice() end, {
  desc = 'copies the node at the cursor and all that it depends on',
})
