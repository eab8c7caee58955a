-- The run of a dump's source, as JSON: what the user is asked, and what the hover shows after a no and after a yes.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = { asked = {} }
local answer, told

vim.lsp.handlers['window/showMessage'] = function(_, message) seen.said = message.message end
vim.notify = function(message) told = message end
vim.ui.select = function(items, options, choose)
  local titles = vim.tbl_map(options.format_item or tostring, items)
  seen.asked[#seen.asked + 1] = { options.prompt, titles }
  for _, item in ipairs(items) do
    if (options.format_item or tostring)(item) == answer then
      choose(item)
      return
    end
  end
  choose(nil)
end

local function wait_for(what, condition)
  assert(vim.wait(20000, condition, 10), 'in vain waited for ' .. what .. ': ' .. tostring(told))
end

local function hover()
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
  local place = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 2, character = 6 } }
  local found = client:request_sync('textDocument/hover', place, 20000, 0)
  return found.result.contents.value
end

local done, problem = xpcall(function()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  wait_for('the server', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end)
  -- The lens is there once the server has the settings.
  wait_for('the lens', function()
    vim.lsp.codelens.refresh({ bufnr = 0 })
    return #vim.lsp.codelens.get(0) == 2
  end)
  answer = 'Cancel'
  vim.cmd.FxGraph('rerun')
  wait_for('the question', function() return #seen.asked == 1 end)
  seen.before = hover()
  answer = 'Run'
  seen.lenses = vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(0))
  vim.cmd.FxGraph('rerun')
  wait_for('the shapes', function() return hover():find('from the source', 1, true) end)
  seen.after = hover()
  wait_for('the message', function() return seen.said ~= nil end)
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
