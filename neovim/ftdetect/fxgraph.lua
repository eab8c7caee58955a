-- Dumps that are called something else. Before Neovim's own rules for these endings, which go on where this says nothing.
local function detect(path, buffer)
  return require('fxgraph.detect').filetype(path, buffer)
end

vim.filetype.add({
  pattern = {
    ['.*%.txt'] = detect,
    ['.*%.log'] = detect,
    ['.*%.out'] = detect,
    ['.*%.err'] = detect,
    ['.*%.py'] = detect,
  },
})
