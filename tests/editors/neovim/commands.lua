-- What the plugin's commands do on $FXGRAPH_TEST_FILE, as JSON; the cursor is at $FXGRAPH_TEST_LINE, $FXGRAPH_TEST_COLUMN.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = {}

vim.notify = function(message) seen.told = message end

local function wait_for(what, condition)
  assert(vim.wait(20000, condition, 10), 'in vain waited for ' .. what)
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local done, problem = xpcall(function()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  local dump = vim.api.nvim_get_current_buf()
  wait_for('the server', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end)
  vim.fn.cursor(tonumber(vim.env.FXGRAPH_TEST_LINE), tonumber(vim.env.FXGRAPH_TEST_COLUMN))

  local function view(show)
    show()
    wait_for('the view', function() return vim.api.nvim_get_current_buf() ~= dump end)
    local shown = { text = text(), filetype = vim.bo.filetype, modifiable = vim.bo.modifiable, word = vim.fn.expand('<cword>') }
    vim.cmd.close()
    return shown
  end
  seen.code = view(function() vim.cmd.FxgraphView('code') end)

  vim.lsp.codelens.refresh({ bufnr = 0 })
  wait_for('a lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  local place = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  seen.table = view(vim.lsp.codelens.run)
  vim.api.nvim_win_set_cursor(0, place)

  vim.fn.setreg('"', '') -- from the session before
  vim.cmd.FxgraphCopySlice()
  wait_for('the slice', function() return vim.fn.getreg('"') ~= '' end)
  seen.slice = vim.fn.getreg('"')

  vim.cmd.FxgraphFind('target=aten.neg')
  wait_for('the list', function() return vim.bo.buftype == 'quickfix' end)
  seen.found = vim.tbl_map(function(item) return { item.lnum, item.col } end, vim.fn.getloclist(0))
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
