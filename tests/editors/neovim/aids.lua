-- What Neovim shows of the server's colours, hints, lenses and flow on $FXGRAPH_TEST_FILE, as JSON.
-- $FXGRAPH_TEST_LINE and $FXGRAPH_TEST_COLUMN (from 1) are the place of the node whose operands and users are listed.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = {}

local function wait_for(what, condition)
  assert(vim.wait(20000, condition, 10), 'in vain waited for ' .. what)
end

local function flow(ask)
  vim.fn.setqflist({}, 'f')
  ask()
  wait_for('the flow', function() return #vim.fn.getqflist() > 0 end)
  local names = {}
  for _, entry in ipairs(vim.fn.getqflist()) do
    names[#names + 1] = { entry.lnum, entry.col }
  end
  vim.cmd.cclose()
  return names
end

local done, problem = xpcall(function()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  wait_for('the server', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end)

  local function words()
    local found = {}
    for line = 0, vim.fn.line('$') - 1 do
      local text = vim.fn.getline(line + 1)
      for column = 0, #text - 1 do
        for _, token in ipairs(vim.lsp.semantic_tokens.get_at_pos(0, line, column) or {}) do
          if token.start_col == column then
            local modifiers = vim.tbl_keys(token.modifiers)
            table.sort(modifiers)
            local word = text:sub(token.start_col + 1, token.end_col)
            found[#found + 1] = { line + 1, word, token.type, table.concat(modifiers, ' ') }
          end
        end
      end
    end
    return found
  end
  wait_for('colours', function() return #words() > 0 end)
  seen.words = words()

  vim.lsp.inlay_hint.enable(true)
  wait_for('hints', function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
  seen.hints = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local position = hint.inlay_hint.position
    seen.hints[#seen.hints + 1] = { position.line + 1, position.character + 1, hint.inlay_hint.label }
  end

  vim.lsp.codelens.refresh({ bufnr = 0 })
  wait_for('a lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  seen.lenses = vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(0))

  vim.fn.cursor(tonumber(vim.env.FXGRAPH_TEST_LINE), tonumber(vim.env.FXGRAPH_TEST_COLUMN))
  seen.operands = flow(vim.lsp.buf.incoming_calls)
  vim.fn.cursor(tonumber(vim.env.FXGRAPH_TEST_LINE), tonumber(vim.env.FXGRAPH_TEST_COLUMN))
  seen.users = flow(vim.lsp.buf.outgoing_calls)

  vim.wo.foldmethod, vim.wo.foldexpr = 'expr', 'v:lua.vim.lsp.foldexpr()'
  wait_for('folds', function() return vim.fn.foldlevel(2) > 0 end)
  seen.folds = {}
  for line = 1, vim.fn.line('$') do
    seen.folds[line] = vim.fn.foldlevel(line)
  end

  vim.lsp.buf.workspace_symbol('abs')
  wait_for('symbols', function() return vim.bo.buftype == 'quickfix' end)
  seen.symbols = vim.tbl_map(function(entry) return { entry.lnum, entry.text } end, vim.fn.getqflist())
  vim.cmd.cclose()

  vim.fn.cursor(tonumber(vim.env.FXGRAPH_TEST_LINE), tonumber(vim.env.FXGRAPH_TEST_COLUMN))
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      seen.offered = seen.offered or {}
      table.insert(seen.offered, action.title)
      return vim.startswith(action.title, 'Correct the user count')
    end,
  })
  wait_for('the correction', function() return vim.api.nvim_get_current_line():find('num_users=2', 1, true) end)
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
