-- Opens $FXGRAPH_TEST_FILE, puts the cursor at $FXGRAPH_TEST_LINE and $FXGRAPH_TEST_COLUMN (from 1), and writes the
-- buffer's settings and what `yiw` takes and `gcc` makes of the line.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
vim.fn.cursor(tonumber(vim.env.FXGRAPH_TEST_LINE), tonumber(vim.env.FXGRAPH_TEST_COLUMN))
vim.cmd('normal! yiw')
local word = vim.fn.getreg('"')
vim.cmd('normal gcc')
local commented = vim.api.nvim_get_current_line()
vim.cmd('normal gcc')
out:write(vim.json.encode({
  filetype = vim.bo.filetype,
  syntax = vim.bo.syntax,
  word = word,
  commented = commented,
  uncommented = vim.api.nvim_get_current_line(),
  server = vim.lsp.is_enabled('fxgraph'),
}))
out:close()
vim.cmd('qall!')
