-- One session as a person would have it, on $FXGRAPH_TEST_FILE: what each key shows is written as JSON.
-- $FXGRAPH_TEST_STEPS is a JSON list of { key = name, at = { line, column } }; lines and byte columns count from 1.
-- Before the first step it waits for the findings with the codes $FXGRAPH_TEST_FINDINGS.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = {}

local function wait_for(what, condition)
  assert(vim.wait(20000, condition, 10), 'in vain waited for ' .. what)
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), 'mx', false)
end

local function entries(list)
  local rows = {}
  for _, entry in ipairs(list.items) do
    rows[#rows + 1] = { entry.lnum, entry.col, vim.trim(entry.text) }
  end
  return rows
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end

local function highlights()
  local marks = {}
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    if name:match('^nvim.lsp.references') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, id, 0, -1, { details = true })) do
        marks[#marks + 1] = { mark[2] + 1, mark[3] + 1, mark[4].hl_group }
      end
    end
  end
  return marks
end

local steps = {}

-- CTRL-] follows the definition; where there is none the cursor stays.
function steps.definition()
  pcall(press, '<C-]>')
  local cursor = vim.api.nvim_win_get_cursor(0)
  return { cursor[1], cursor[2] + 1 }
end

function steps.references()
  vim.fn.setqflist({}, 'f')
  press('grr')
  wait_for('references', function() return #vim.fn.getqflist() > 0 end)
  local rows = entries(vim.fn.getqflist({ items = true }))
  vim.cmd.cclose()
  return rows
end

function steps.hover()
  press('K')
  wait_for('a hover', float)
  local window = float()
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
  return table.concat(lines, '\n')
end

function steps.symbols()
  vim.fn.setloclist(0, {}, 'f')
  press('gO')
  local list
  wait_for('symbols', function()
    list = vim.fn.getloclist(0, { items = true })
    return #list.items > 0
  end)
  vim.cmd.lclose()
  return entries(list)
end

function steps.highlights()
  vim.lsp.buf.document_highlight()
  wait_for('highlights', function() return #highlights() > 0 end)
  local marks = highlights()
  vim.lsp.buf.clear_references()
  return marks
end

local function diagnostics()
  local rows = {}
  for _, found in ipairs(vim.diagnostic.get(0)) do
    local tags = found._tags or {}
    rows[#rows + 1] = {
      code = found.code,
      line = found.lnum + 1,
      column = found.col + 1,
      stop = found.end_col + 1,
      severity = vim.diagnostic.severity[found.severity],
      unnecessary = tags.unnecessary or false,
    }
  end
  return rows
end

-- Replaces the line `at[1]` by `text` and waits until the findings have changed.
function steps.edit(step)
  local before = vim.json.encode(diagnostics())
  vim.api.nvim_buf_set_lines(0, step.at[1] - 1, step.at[1], true, { step.text })
  wait_for('new findings', function() return vim.json.encode(diagnostics()) ~= before end)
  return diagnostics()
end

local done, problem = xpcall(function()
  vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  local client
  wait_for('the server', function()
    client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end)
  seen.encoding = client.offset_encoding
  seen.root = client.root_dir
  wait_for('findings', function()
    local codes = vim.tbl_map(function(found) return found.code end, diagnostics())
    return table.concat(codes, ' ') == vim.env.FXGRAPH_TEST_FINDINGS
  end)
  seen.diagnostics = diagnostics()
  for _, step in ipairs(vim.json.decode(vim.env.FXGRAPH_TEST_STEPS)) do
    vim.fn.cursor(step.at)
    seen[step.key] = steps[step.does](step)
  end
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
