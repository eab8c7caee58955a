"""The names of functions and methods that are known to be pure, and of the ones that only look it.

Written by hand from torch 2.13 and its catalogue of schemas; a test compares it with the installed torch. Left out on
purpose: in-place functions, `dropout` and all else that draws random numbers, checks, whatever reads a number out of a
tensor, functions that update running statistics, `embedding` of torch.nn.functional (`max_norm` renormalises the
weight in place), and names that also mean a write on another type (`add` and `sort` write a set and a list).
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Functions of `torch` itself that take tensors and give new tensors or views.
_TORCH = _names("""
    abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr adjoint affine_grid_generator alias_copy
    all amax amin aminmax angle any arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
    argsort argwhere as_strided as_strided_copy as_strided_scatter as_tensor asarray asin asinh atan atan2 atanh
    atleast_1d atleast_2d atleast_3d avg_pool1d adaptive_avg_pool1d adaptive_max_pool1d baddbmm bartlett_window
    bilinear binary_cross_entropy_with_logits bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or
    bitwise_right_shift bitwise_xor blackman_window block_diag bmm broadcast_tensors broadcast_to bucketize
    cartesian_prod cat cdist ceil celu chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve
    chunk clamp clamp_max clamp_min clip clone column_stack combinations complex concat concatenate conj
    conj_physical constant_pad_nd conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d convolution copysign corrcoef cos cosh cosine_embedding_loss cosine_similarity
    count_nonzero cov cross ctc_loss cummax cummin cumprod cumsum cumulative_trapezoid deg2rad det detach
    detach_copy diag diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma dist div divide
    dot dsplit dstack einsum embedding embedding_bag empty empty_like empty_permuted empty_strided eq erf erfc
    erfinv exp exp2 expand_copy expm1 eye fill fix flatten flip fliplr flipud float_power floor floor_divide
    fmax fmin fmod frac frexp frobenius_norm full full_like gather gcd ge ger gradient greater greater_equal
    grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru_cell gt hamming_window hann_window hardshrink
    heaviside hinge_embedding_loss histc histogram hsplit hstack hypot i0 igamma igammac imag index_add
    index_copy index_fill index_put index_reduce index_select inner inverse isclose isfinite isin isinf isnan
    isneginf isposinf isreal istft kaiser_window kl_div kron kthvalue layer_norm lcm ldexp le lerp less
    less_equal lgamma linspace log log10 log1p log2 log_softmax logaddexp logaddexp2 logcumsumexp logdet
    logical_and logical_not logical_or logical_xor logit logspace logsumexp lstm_cell lt lu_solve lu_unpack
    margin_ranking_loss masked_fill masked_scatter masked_select matmul matrix_exp matrix_power max max_pool1d
    max_pool2d max_pool3d maximum mean median meshgrid min minimum mm mode moveaxis movedim msort mul multiply
    mv mvlgamma nan_to_num nanmean nanmedian nanquantile nansum narrow narrow_copy native_group_norm
    native_layer_norm ne neg negative nextafter nonzero nonzero_static norm norm_except_dim not_equal
    nuclear_norm ones ones_like outer pairwise_distance pdist permute permute_copy pinverse pixel_shuffle
    pixel_unshuffle poisson_nll_loss polar polygamma positive pow prelu prod quantile rad2deg ravel real
    reciprocal relu remainder renorm repeat_interleave reshape resolve_conj resolve_neg rms_norm rnn_relu_cell
    rnn_tanh_cell roll rot90 round row_stack rsqrt rsub scalar_tensor scatter scatter_add scatter_reduce
    searchsorted select select_copy select_scatter selu sgn sigmoid sign signbit sin sinc sinh slice_copy
    slice_scatter slogdet softmax sort split split_copy split_with_sizes split_with_sizes_copy sqrt square
    squeeze squeeze_copy stack std std_mean stft sub subtract sum svd swapaxes swapdims t t_copy take
    take_along_dim tan tanh tensor tensor_split tensordot threshold tile topk trace transpose transpose_copy
    trapezoid trapz triangular_solve tril tril_indices triplet_margin_loss triu triu_indices true_divide trunc
    unbind unbind_copy unflatten unfold_copy unique unique_consecutive unravel_index unsafe_chunk unsafe_split
    unsafe_split_with_sizes unsqueeze unsqueeze_copy vander var var_mean vdot view_as_complex
    view_as_complex_copy view_as_real view_as_real_copy view_copy vsplit vstack where xlogy zeros zeros_like
    is_complex is_floating_point is_tensor numel promote_types result_type broadcast_shapes sym_float sym_int
    sym_ite sym_max sym_min sym_not sym_sqrt sym_sum _sym_acos _sym_asin _sym_atan _sym_cos _sym_cosh _sym_log2
    _sym_sin _sym_sinh _sym_sqrt _sym_tan _sym_tanh _log_softmax _shape_as_tensor _softmax _stack _unsafe_index
""")

#: torch.functional: `split` and others print under the module that defines them.
_FUNCTIONAL = _names("""
    atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist
    chain_matmul einsum istft meshgrid norm split stft tensordot unique unique_consecutive unravel_index
""")

_NN_FUNCTIONAL = _names("""
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d affine_grid avg_pool1d avg_pool2d avg_pool3d bilinear binary_cross_entropy
    binary_cross_entropy_with_logits celu channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity cross_entropy ctc_loss elu fold
    gaussian_nll_loss gelu glu grid_sample group_norm hardshrink hardsigmoid hardswish hardtanh
    hinge_embedding_loss huber_loss interpolate kl_div l1_loss layer_norm leaky_relu linear local_response_norm
    log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d margin_ranking_loss max_pool1d max_pool2d max_pool3d
    max_unpool1d max_unpool2d max_unpool3d mish mse_loss multi_margin_loss multilabel_margin_loss
    multilabel_soft_margin_loss nll_loss normalize one_hot pad pairwise_distance pdist pixel_shuffle
    pixel_unshuffle poisson_nll_loss prelu relu relu6 rms_norm selu sigmoid silu smooth_l1_loss soft_margin_loss
    softmax softmin softplus softshrink softsign tanh tanhshrink threshold triplet_margin_loss unfold upsample
    upsample_bilinear upsample_nearest
""")

#: Functions of torch.nn.functional with a parameter `inplace`, which may be given by position.
_IN_PLACE_ON_DEMAND = _names("celu elu hardsigmoid hardswish hardtanh leaky_relu mish relu relu6 selu silu threshold")

_C_NN = _names("""
    _pad_circular _pad_enum _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d
    _upsample_nearest_exact2d _upsample_nearest_exact3d adaptive_avg_pool2d adaptive_avg_pool3d
    adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d binary_cross_entropy col2im cross_entropy_loss
    elu flatten_dense_tensors fractional_max_pool2d fractional_max_pool3d gelu glu hardsigmoid hardswish
    hardtanh huber_loss im2col l1_loss leaky_relu linear log_sigmoid max_pool2d_with_indices
    max_pool3d_with_indices max_unpool2d max_unpool3d mish mse_loss multi_margin_loss multilabel_margin_loss
    nll_loss nll_loss2d nll_loss_nd one_hot pad pad_sequence reflection_pad1d reflection_pad2d reflection_pad3d
    relu6 replication_pad1d replication_pad2d replication_pad3d silu smooth_l1_loss soft_margin_loss softplus
    softshrink thnn_conv2d unflatten_dense_tensors upsample_bicubic2d upsample_bilinear2d upsample_linear1d
    upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d
""")

_SPECIAL = _names("""
    airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc
    gammaincc gammaln i0 i0e i1 i1e log1p log_ndtr log_softmax logit logsumexp modified_bessel_i0
    modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multigammaln ndtr ndtri polygamma psi round sinc
    softmax spherical_bessel_j0 xlog1py xlogy zeta
""")

_FFT = _names("""
    fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2
    irfftn rfft rfft2 rfftfreq rfftn
""")

#: Decompositions that check their result at run time (`solve`, `inv`, `cholesky`) are still pure: they raise, no more.
_LINALG = _names("""
    cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv inv_ex
    ldl_factor ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul matrix_exp matrix_norm
    matrix_power matrix_rank multi_dot norm pinv qr slogdet solve solve_ex solve_triangular svd svdvals
    tensorinv tensorsolve vander vecdot vector_norm
""")

_OPERATOR = _names("""
    abs add and_ concat eq floordiv ge getitem gt inv invert is_ is_not le lshift lt matmul mod mul ne neg not_
    or_ pos pow rshift sub truediv xor
""")

_MATH = _names("""
    acos acosh asin asinh atan atan2 atanh ceil comb copysign cos cosh degrees erf erfc exp expm1 fabs factorial
    floor fmod gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 perm pow
    prod radians remainder sin sinh sqrt tan tanh trunc
""")

#: Not among them: `int`, `float` and `bool`, which read a tensor's value.
_BUILTINS = _names("abs getattr hasattr isinstance len max min pow round slice sum tuple")

#: Dotted targets of functions that are pure unless an `out=` or `inplace=True` is given to them.
FUNCTIONS = frozenset(
    f"{module}.{name}"
    for module, names in (
        ("torch", _TORCH),
        ("torch.functional", _FUNCTIONAL),
        ("torch.nn.functional", _NN_FUNCTIONAL),
        ("torch._C._nn", _C_NN),
        ("torch.special", _SPECIAL),
        ("torch._C._special", frozenset(f"special_{name}" for name in _SPECIAL)),
        ("torch.fft", _FFT),
        ("torch._C._fft", frozenset(f"fft_{name}" for name in _FFT)),
        ("torch.linalg", _LINALG),
        ("torch._C._linalg", frozenset(f"linalg_{name}" for name in _LINALG)),
        ("operator", _OPERATOR),
        ("_operator", _OPERATOR),
        ("math", _MATH),
        ("builtins", _BUILTINS),
    )
    for name in names
)

#: A table's `<built-in function NAME>` does not tell the module: pure whichever of these it is from.
BUILT_IN = (
    _OPERATOR | _MATH | _C_NN | frozenset({"getattr", "hasattr", "isinstance", "len", "max", "min", "round", "sum"})
)

#: Methods of tensors.
METHODS = _names("""
    abs absolute acos acosh addbmm addcdiv addcmul addmm addmv addr adjoint all amax amin aminmax angle any
    arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere as_strided
    as_strided_scatter asin asinh atan atan2 atanh baddbmm bfloat16 bincount bitwise_and bitwise_left_shift
    bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to byte ceil char cholesky
    cholesky_inverse cholesky_solve chunk clamp clamp_max clamp_min clip clone conj conj_physical contiguous
    copysign corrcoef cos cosh count_nonzero cov cpu cross cuda cummax cummin cumprod cumsum deg2rad det detach
    diag diag_embed diagflat diagonal diagonal_scatter diff digamma dim dist div divide dot double dsplit
    element_size eq erf erfc erfinv exp exp2 expand expand_as expm1 fix flatten flip fliplr flipud float
    float_power floor floor_divide fmax fmin fmod frac frexp gather gcd ge ger get_device greater greater_equal
    gt half hardshrink heaviside histc histogram hsplit hypot i0 igamma igammac index_add index_copy index_fill
    index_put index_reduce index_select inner inverse is_complex is_contiguous is_floating_point is_signed
    isclose isfinite isinf isnan isneginf isposinf isreal istft kron kthvalue lcm ldexp le lerp less less_equal
    lgamma log log10 log1p log2 log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not
    logical_or logical_xor logit logsumexp long lt lu_solve masked_fill masked_scatter masked_select matmul
    matrix_exp matrix_power max maximum mean median min minimum mm mode moveaxis movedim msort mul multiply mv
    mvlgamma nan_to_num nanmean nanmedian nanquantile nansum narrow narrow_copy ndimension ne neg negative
    nelement new_empty new_empty_strided new_full new_ones new_zeros nextafter nonzero norm not_equal numel
    outer permute pinverse polygamma positive pow prelu prod quantile rad2deg ravel reciprocal relu remainder
    renorm repeat repeat_interleave reshape reshape_as resolve_conj resolve_neg roll rot90 round rsqrt scatter
    scatter_add scatter_reduce select select_scatter sgn short sigmoid sign signbit sin sinc sinh size
    slice_scatter slogdet softmax split split_with_sizes sqrt square squeeze std stft storage_offset stride sub
    subtract sum sum_to_size svd swapaxes swapdims t take take_along_dim tan tanh tensor_split tile to topk
    trace transpose tril triu true_divide trunc type_as unbind unflatten unfold unique unique_consecutive
    unsafe_chunk unsafe_split unsqueeze var vdot view view_as vsplit where xlogy
    __getitem__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __neg__ __pow__
    __matmul__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __and__ __or__ __xor__ __invert__ __abs__
""")

#: Methods that read a number out of a tensor: they can fail, and under `torch.compile` they make a new size.
VALUE_METHODS = _names("item tolist numpy allclose equal is_nonzero __bool__ __int__ __float__ __index__ __len__")

#: Names, of packets, functions and methods, that draw from a generator or advance it, whatever the tags say.
RANDOM = _names("""
    alpha_dropout bernoulli binomial cauchy dropout dropout1d dropout2d dropout3d exponential
    feature_alpha_dropout feature_dropout fused_dropout geometric gru gumbel_softmax inductor_rand_eager_offset
    inductor_rand_eager_offsets inductor_seed inductor_seeds log_normal lstm multi_head_attention_forward
    multinomial native_dropout normal poisson rand rand_like randint randint_like randn randn_like random
    randperm rnn_relu rnn_tanh rrelu scaled_dot_product_attention seed uniform
""")

#: Packets that update running_mean and running_var in training without a mark in their schema.
STATISTICS = _names("""
    batch_norm _batch_norm_impl_index native_batch_norm cudnn_batch_norm miopen_batch_norm instance_norm
    batch_norm_update_stats batch_norm_gather_stats batch_norm_gather_stats_with_counts
""")

#: aten packets that write, or set something up, without a mark in their schema.
WRITES_UNMARKED = _names("""
    _copy_from _copy_from_and_resize _cudnn_rnn_flatten_weight _foobar _make_dual from_file lift_fresh_ _sync
    wait
""")

#: Operators that give no tensor and are pure all the same: they ask for what a tensor's type tells.
QUERIES = _names("""
    sym_size sym_stride sym_numel sym_storage_offset sym_is_contiguous size stride numel dim storage_offset
    element_size get_device is_complex is_contiguous is_floating_point is_signed is_same_size
    is_non_overlapping_and_dense is_strides_like_format result_type promote_types broadcast_shapes
""")

#: Higher-order operators whose graphs may not write.
HIGHER_ORDER = _names("flex_attention flex_attention_backward")

#: Operators of Python that change their first operand.
WRITING_OPERATORS = frozenset(
    f"operator.{name}"
    for name in _names("""
    iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor setitem delitem
    """)
)


def may_be_in_place(target: str) -> bool:
    """Whether this function of torch.nn.functional takes `inplace`, be it by position."""
    module, _, name = target.rpartition(".")
    return module == "torch.nn.functional" and name in _IN_PLACE_ON_DEMAND
