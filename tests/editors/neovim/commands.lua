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
  seen.code = view(function() vim.cmd.FxGraph('view code') end)

  vim.lsp.codelens.refresh({ bufnr = 0 })
  wait_for('a lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  local place = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  seen.table = view(vim.lsp.codelens.run)
  vim.api.nvim_win_set_cursor(0, place)

  vim.fn.setreg('"', '') -- from the session before
  vim.cmd.FxGraph('slice')
  wait_for('the slice', function() return vim.fn.getreg('"') ~= '' end)
  seen.slice, seen.slice_told = vim.fn.getreg('"'), seen.told

  vim.cmd.FxGraph('find target=aten.neg')
  wait_for('the list', function() return vim.bo.buftype == 'quickfix' end)
  local function found()
    local items = vim.tbl_map(function(item) return { item.lnum, item.col } end, vim.fn.getloclist(0))
    vim.cmd.lclose()
    return items
  end
  seen.found = found()

  -- In the folder: the dump as it is open, and the other one from the disk.
  vim.cmd.FxGraph('findall target=aten.neg')
  wait_for('the list of the folder', function() return vim.bo.buftype == 'quickfix' end)
  seen.in_folder = found()

  vim.cmd.FxGraph('info')
  wait_for('the debug info', function() return vim.startswith(vim.fn.getreg('"'), 'fxgraph ') end)
  seen.info = vim.fn.getreg('"')

  vim.cmd.FxGraph('nonsense')
  seen.unknown = seen.told
  seen.completed = vim.fn.getcompletion('FxGraph view ', 'cmdline')

  -- A view follows its graph: another one comes above, and the graph itself changes.
  vim.api.nvim_win_set_cursor(0, place)
  vim.cmd.FxGraph('view code')
  wait_for('the view', function() return vim.api.nvim_get_current_buf() ~= dump end)
  local shown = vim.api.nvim_get_current_buf()
  wait_for('the server in the view', function() return #vim.lsp.get_clients({ bufnr = shown }) > 0 end)
  vim.fn.search([[\V(relu)]])
  vim.cmd('normal! l')
  local before = vim.api.nvim_win_get_cursor(0)[1]
  vim.cmd(vim.keycode('normal <C-]>'))
  wait_for('the jump', function() return vim.api.nvim_win_get_cursor(0)[1] ~= before end)
  seen.jump_in_view = { before - vim.api.nvim_win_get_cursor(0)[1], vim.fn.expand('<cword>') }
  seen.shows_findings = { vim.diagnostic.is_enabled({ bufnr = dump }), vim.diagnostic.is_enabled({ bufnr = shown }) }
  vim.fn.search([[\V    neg = ]])
  vim.api.nvim_buf_set_lines(dump, 0, 0, true, { 'graph():', '    %first : [num_users=1] = placeholder[target=first]', '    return first', '' })
  local line = vim.iter(vim.api.nvim_buf_get_lines(dump, 0, -1, true)):enumerate():find(function(_, text) return text:find('%neg : ', 1, true) end)
  local record = vim.api.nvim_buf_get_lines(dump, line - 1, line, true)[1]
  vim.api.nvim_buf_set_lines(dump, line - 1, line, true, { (record:gsub('aten%.neg', 'aten.exp')) })
  wait_for('the view to follow', function() return text():find('aten.exp.default(relu)', 1, true) end)
  seen.followed = text()
  vim.cmd.FxGraph('source')
  seen.source = { vim.api.nvim_get_current_buf() == dump, vim.api.nvim_win_get_cursor(0)[1] == line }

  -- The graph that has its number now is shown in a view of its own; its own view is found again.
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd.FxGraph('view code')
  wait_for('the other view', function() return vim.api.nvim_get_current_buf() ~= dump end)
  seen.other = { vim.api.nvim_get_current_buf() ~= shown, text() }
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(dump)[1])
  vim.api.nvim_win_set_cursor(0, { line, 5 })
  vim.cmd.FxGraph('view code')
  wait_for('its own view', function() return vim.api.nvim_get_current_buf() == shown end)
  seen.word = vim.fn.expand('<cword>')

  vim.api.nvim_set_current_win(vim.fn.win_findbuf(dump)[1])
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd.FxGraph('next')
  wait_for('the next graph', function() return vim.api.nvim_win_get_cursor(0)[1] == 5 end)

  vim.cmd.FxGraph('restart')
  wait_for('the server again', function()
    local client = vim.lsp.get_clients({ bufnr = dump, name = 'fxgraph' })[1]
    return client and client.initialized and client.id
  end)

  vim.cmd.FxGraph('log')
  seen.log = vim.fn.expand('%:t')

  vim.cmd.enew()
  vim.cmd.FxGraph('read')
  seen.read = vim.bo.filetype
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
