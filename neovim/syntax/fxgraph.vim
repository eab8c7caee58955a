" Printed FX graphs in their four forms: print(graph), gm.code, print_readable and print_tabular.
"
" Dumps hold lines of several hundred thousand characters. Every pattern stays on one line, looks back at most a few
" characters and repeats no group that repeats; behind 'synmaxcol' nothing is coloured at all.

if exists('b:current_syntax')
  finish
endif

let s:cpo = &cpoptions
set cpoptions&vim

setlocal synmaxcol=2000
syntax sync minlines=1 maxlines=1
syntax case match

" Later items win where two begin at the same place.

syntax match fxgraphNumber /\<\d\+\%(\.\d*\)\?\%(e[-+]\?\d\+\)\?\>/
syntax keyword fxgraphConstant None True False Ellipsis inf nan
syntax match fxgraphSymbol /\<[suz]\d\+\>/
syntax match fxgraphString /'\%(\\.\|[^'\\]\)*'/
syntax match fxgraphString /"\%(\\.\|[^"\\]\)*"/

" Types: the quoted text behind a colon, or behind the word Tensor of print(graph) with tensor metadata.
syntax match fxgraphType /\%(: \|Tensor \)\@8<="[^"]*"/

" Targets. A method is what is called on a node, a module path what begins with self.
syntax match fxgraphMethod /\.\zs\h\w*\ze(/
syntax match fxgraphModule /\<self\.\h[A-Za-z0-9_.]*/
syntax match fxgraphTarget /\<\%(torch\|aten\|prims\|operator\|_operator\|builtins\|math\|quantized_decomposed\|_c10d_functional\|inductor_prims\)\.\h[A-Za-z0-9_.]*/
syntax match fxgraphTarget /<\%(built-in \)\?\%(function\|method\) [^>]*>/
syntax match fxgraphTarget /\[target=\zs[^]]\+/
" A type without quotes: `x : torch.Tensor`.
syntax match fxgraphType / : \zs\h[A-Za-z0-9_.]*\ze\%( \[\| *[,)=]\)/

" Names. A definition stands left of ` : ` (print(graph)), at the start of a statement or in front of its type; %name
" elsewhere is a read.
syntax match fxgraphName /%\h\w*/
syntax match fxgraphDefinition /%\h\w*\ze : /
syntax match fxgraphDefinition /^\s\+\zs\h\w*\ze\%( = \|: \S\)/
syntax match fxgraphDefinition /\] \{4,60}\zs\h\w*\ze\%( = \|: \S\)/
syntax match fxgraphDefinition /\<\h\w*\ze\s\?: "/
" What a statement gives up: `;  relu = mm = None`.
syntax match fxgraphFree /;  \zs\h[A-Za-z0-9_ =]*= None/

syntax match fxgraphOpcode /\<\%(placeholder\|PlaceHolder\|get_attr\|call_function\|call_method\|call_module\)\ze\[target=/
syntax match fxgraphUsers /\[\zs\%(num_\|#\)users=\d\+\ze\]/
syntax match fxgraphKeyword /\<return\>/
syntax match fxgraphKeyword /\<def\ze \h/ nextgroup=fxgraphHeadName skipwhite
syntax match fxgraphKeyword /\<class\ze [<A-Za-z_]/ nextgroup=fxgraphHeadName skipwhite
syntax match fxgraphHead /\<graph([^)]*)\%( -> [^:]*\)\?\ze:/
syntax match fxgraphHeadName /<\h\w*>\|\h\w*/ contained
syntax match fxgraphHead /^\s*\zsExportedProgram\ze:/

" Tables: opcode, name and target stand in the first three columns, two blanks or more apart.
syntax match fxgraphTableOpcode /^\s*\zs\%(placeholder\|get_attr\|call_function\|call_method\|call_module\|output\)\ze  / nextgroup=fxgraphTableName skipwhite
syntax match fxgraphTableName /\h\w*/ contained nextgroup=fxgraphTableTarget skipwhite
syntax match fxgraphTableTarget /<[^>]*>\|\S\+/ contained
syntax match fxgraphTableHead /^\s*opcode\s\+name\s\+target\s\+args\s\+kwargs\s*$/
syntax match fxgraphTableHead /^\s*-\+  [- ]*$/

" Comments, and the source line that print_readable quotes. `[#users=1]` is none.
syntax match fxgraphSource /File: \zs\%(\a:[\\/]\)\?[^ :][^:]*:\d\+/ contained
" Dumps are quoted in comments, too: in front of a node only the leader is a comment.
syntax match fxgraphComment +^\s*\zs\%(#\|//\)+
syntax match fxgraphComment +^\s*\zs\%(#\|//\)\%(\s*\%(%\h\w* : \|\h\w*: "[^"]*" = \)\)\@!.*$+ contains=fxgraphSource
syntax match fxgraphComment /\%(\S \{1,2}\)\@3<=# .*$/ contains=fxgraphSource

" What TORCH_LOGS puts in front of each line, of 2.2 with the date and the logger.
syntax match fxgraphLogPrefix /^\%(\[rank\d\+\]:\)\?\[\d\{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d\+\]\%( \[[^]]*\]\)* [A-Za-z0-9_.]\+: \[\u\+\]/
syntax match fxgraphLogPrefix /^\%(\[rank\d\+\]:\)\?[VDIWEC]\d\{4} \d\d:\d\d:[0-9.]\+ \d\+ [^ ]\+\]\%( \[[^]]*\]\)*/

highlight default link fxgraphNumber Number
highlight default link fxgraphConstant Constant
highlight default link fxgraphSymbol Special
highlight default link fxgraphString String
highlight default link fxgraphType Type
highlight default link fxgraphMethod Function
highlight default link fxgraphModule Function
highlight default link fxgraphTarget Function
highlight default link fxgraphName Identifier
highlight default link fxgraphDefinition Identifier
highlight default link fxgraphFree Comment
highlight default link fxgraphOpcode Keyword
highlight default link fxgraphUsers PreProc
highlight default link fxgraphKeyword Keyword
highlight default link fxgraphHead Title
highlight default link fxgraphHeadName Title
highlight default link fxgraphTableOpcode fxgraphOpcode
highlight default link fxgraphTableName fxgraphDefinition
highlight default link fxgraphTableTarget fxgraphTarget
highlight default link fxgraphTableHead Title
highlight default link fxgraphSource Directory
highlight default link fxgraphComment Comment
highlight default link fxgraphLogPrefix NonText

" What the server says of a word goes over the colours above; Neovim knows the standard types by itself.
highlight default link @lsp.type.enumMember.fxgraph fxgraphConstant
highlight default link @lsp.type.number.fxgraph fxgraphNumber
highlight default link @lsp.type.keyword.fxgraph fxgraphOpcode
highlight default link @lsp.mod.overload.fxgraph Special
highlight default link @lsp.mod.freed.fxgraph fxgraphFree
highlight default link @lsp.mod.dead.fxgraph DiagnosticUnnecessary

let b:current_syntax = 'fxgraph'

let &cpoptions = s:cpo
unlet s:cpo
