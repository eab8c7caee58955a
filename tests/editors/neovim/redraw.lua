-- Draws $FXGRAPH_TEST_FILE once and writes what Neovim says: it names 'redrawtime' where colouring took too long.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
vim.cmd.edit(vim.fn.fnameescape(vim.env.FXGRAPH_TEST_FILE))
vim.cmd('redraw!')
vim.cmd('normal! G$')
vim.cmd('redraw!')
out:write(vim.json.encode({ syntax = vim.bo.syntax, messages = vim.fn.execute('messages') }))
out:close()
vim.cmd('qall!')
