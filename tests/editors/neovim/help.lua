-- Builds the tags of the help folder around $FXGRAPH_TEST_FILE, then asks for help on each line of $FXGRAPH_TEST_LINKS.
-- Writes the tags and the topics that have no help.
local out = assert(io.open(vim.env.FXGRAPH_TEST_OUT, 'w'))
local doc = vim.fs.dirname(vim.env.FXGRAPH_TEST_FILE)
vim.cmd.helptags(vim.fn.fnameescape(doc))
vim.opt.runtimepath:prepend(vim.fs.dirname(doc))
local tags = {}
for line in io.lines(doc .. '/tags') do
  tags[#tags + 1] = line:match('^[^\t]+')
end
local missing = {}
for _, topic in ipairs(vim.split(vim.env.FXGRAPH_TEST_LINKS, '\n')) do
  if not vim.list_contains(vim.fn.getcompletion(topic, 'help'), topic) then
    missing[#missing + 1] = topic
  end
end
out:write(vim.json.encode({ tags = tags, missing = missing }))
out:close()
vim.cmd('qall!')
