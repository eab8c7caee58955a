-- Writes the filetype of each file of $FXGRAPH_TEST_FILES (a JSON list) as it is opened.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local seen = vim.empty_dict()
for _, file in ipairs(vim.json.decode(vim.env.FXGRAPH_TEST_FILES)) do
  vim.cmd.edit({ args = { vim.fn.fnameescape(file) }, bang = true })
  seen[file] = vim.bo.filetype
end
out:write(vim.json.encode(seen))
out:close()
vim.cmd('qall!')
