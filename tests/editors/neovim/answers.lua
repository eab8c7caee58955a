-- Opens $FXGRAPH_TEST_FILE, or pastes its text into a new buffer where $FXGRAPH_TEST_PASTE is set and says what it is.
-- Writes the names of the outline, the hover at the words $FXGRAPH_TEST_WORDS, the text that their definition leads to,
-- and the number of links.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = {}

local done, problem = xpcall(function()
  if vim.env.FXGRAPH_TEST_PASTE == '1' then
    vim.cmd.enew()
    vim.api.nvim_paste(table.concat(vim.fn.readfile(vim.env.FXGRAPH_TEST_FILE), '\n'), true, -1)
    vim.cmd('set filetype=fxgraph')
  else
    vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
  end
  seen.filetype = vim.bo.filetype
  assert(vim.wait(20000, function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'fxgraph' })[1]
    return client and client.initialized
  end, 10), 'no server')
  vim.fn.cursor(1, 1)
  assert(vim.fn.search([[\V]] .. vim.env.FXGRAPH_TEST_WORDS, 'c') > 0, 'no such words')
  local position = vim.lsp.util.make_position_params(0, 'utf-8')
  local function ask(method)
    local answers = assert(vim.lsp.buf_request_sync(0, method, position, 20000))
    return assert(vim.tbl_values(answers)[1]).result
  end
  seen.names = {}
  local function collect(symbols)
    for _, symbol in ipairs(symbols) do
      table.insert(seen.names, symbol.name)
      collect(symbol.children or {})
    end
  end
  collect(ask('textDocument/documentSymbol'))
  seen.hover = ask('textDocument/hover').contents.value
  local found = ask('textDocument/definition')[1]
  if found then
    local buffer = found.targetUri == position.textDocument.uri and 0 or vim.uri_to_bufnr(found.targetUri)
    if buffer > 0 then
      vim.fn.bufload(buffer)
    end
    local line = found.targetSelectionRange.start.line
    seen.definition = { vim.fs.basename(vim.uri_to_fname(found.targetUri)), vim.api.nvim_buf_get_lines(buffer, line, line + 1, true)[1] }
  end
  seen.links = #ask('textDocument/documentLink')
end, debug.traceback)
seen.problem = not done and problem or nil
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
