-- Opens the file $FXGRAPH_TEST_FILE and writes, as JSON, the syntax group of every column of every line: a list of
-- lists of names, '' where there is none.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
local groups = {}
for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  local columns = {}
  for column = 1, #line do
    columns[column] = vim.fn.synIDattr(vim.fn.synID(number, column, 1), 'name')
  end
  groups[number] = #columns > 0 and columns or vim.empty_dict()
end
out:write(vim.json.encode({ filetype = vim.bo.filetype, groups = groups }))
out:close()
vim.cmd('qall!')
