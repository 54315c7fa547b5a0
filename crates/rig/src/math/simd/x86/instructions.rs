//! The instructions guarded by a token, as its methods: calling them needs no `unsafe`.

use super::*;

macro_rules! instructions {
    ($token:ident as $features:literal; $(
        fn $name:ident $(<const $constant:ident: $kind:ident>)? ($($arg:ident: $type:ty),*) -> $result:ty;
    )*) => {
        impl $token {
            $(
                #[allow(clippy::too_many_arguments, reason = "as many as the instruction has")]
                #[inline(always)]
                pub(super) fn $name $(<const $constant: $kind>)? (self, $($arg: $type),*) -> $result {
                    // An instruction that needs more than these features would not compile here.
                    #[target_feature(enable = $features)]
                    #[allow(dead_code, reason = "only compiled, never called")]
                    #[allow(clippy::too_many_arguments, reason = "as many as the instruction has")]
                    fn safe $(<const $constant: $kind>)? ($($arg: $type),*) -> $result {
                        $name $(::<$constant>)? ($($arg),*)
                    }
                    // SAFETY: the token proves that the processor has these features, which is all the
                    // instruction needs.
                    unsafe { $name $(::<$constant>)? ($($arg),*) }
                }
            )*
        }
    };
}

instructions! {
    Avx2 as "avx2,fma";
    fn _mm256_add_epi32(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_add_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_and_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_and_si256(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_blendv_ps(a: __m256, b: __m256, c: __m256) -> __m256;
    fn _mm256_castps128_ps256(a: __m128) -> __m256;
    fn _mm256_castps256_ps128(a: __m256) -> __m128;
    fn _mm256_castps_pd(a: __m256) -> __m256d;
    fn _mm256_cmp_ps<const IMM5: i32>(a: __m256, b: __m256) -> __m256;
    fn _mm256_cmpeq_epi16(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_cmpeq_epi32(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_div_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_extractf128_ps<const IMM1: i32>(a: __m256) -> __m128;
    fn _mm256_fmadd_ps(a: __m256, b: __m256, c: __m256) -> __m256;
    fn _mm256_fmsub_ps(a: __m256, b: __m256, c: __m256) -> __m256;
    fn _mm256_fnmadd_ps(a: __m256, b: __m256, c: __m256) -> __m256;
    fn _mm256_insertf128_ps<const IMM1: i32>(a: __m256, b: __m128) -> __m256;
    fn _mm256_max_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_min_epu16(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_min_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_movemask_epi8(a: __m256i) -> i32;
    fn _mm256_movemask_ps(a: __m256) -> i32;
    fn _mm256_mul_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_mullo_epi32(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_or_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_or_si256(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_permute2f128_ps<const IMM8: i32>(a: __m256, b: __m256) -> __m256;
    fn _mm256_permutevar8x32_ps(a: __m256, idx: __m256i) -> __m256;
    fn _mm256_rcp_ps(a: __m256) -> __m256;
    fn _mm256_rsqrt_ps(a: __m256) -> __m256;
    fn _mm256_set1_epi16(a: i16) -> __m256i;
    fn _mm256_set1_epi32(a: i32) -> __m256i;
    fn _mm256_set1_epi64x(a: i64) -> __m256i;
    fn _mm256_set1_ps(a: f32) -> __m256;
    fn _mm256_set_m128(hi: __m128, lo: __m128) -> __m256;
    fn _mm256_setr_epi32(e0: i32, e1: i32, e2: i32, e3: i32, e4: i32, e5: i32, e6: i32, e7: i32) -> __m256i;
    fn _mm256_shuffle_ps<const MASK: i32>(a: __m256, b: __m256) -> __m256;
    fn _mm256_sll_epi16(a: __m256i, count: __m128i) -> __m256i;
    fn _mm256_sqrt_ps(a: __m256) -> __m256;
    fn _mm256_srli_epi64<const IMM8: i32>(a: __m256i) -> __m256i;
    fn _mm256_sub_epi32(a: __m256i, b: __m256i) -> __m256i;
    fn _mm256_sub_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_unpackhi_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_unpacklo_ps(a: __m256, b: __m256) -> __m256;
    fn _mm256_xor_ps(a: __m256, b: __m256) -> __m256;
    fn _mm_andnot_ps(a: __m128, b: __m128) -> __m128;
    fn _mm_castsi128_ps(a: __m128i) -> __m128;
    fn _mm_cmpgt_epi32(a: __m128i, b: __m128i) -> __m128i;
    fn _mm_cvtsi32_si128(a: i32) -> __m128i;
    fn _mm_fmadd_ps(a: __m128, b: __m128, c: __m128) -> __m128;
    fn _mm_min_epu16(a: __m128i, b: __m128i) -> __m128i;
    fn _mm_mul_ps(a: __m128, b: __m128) -> __m128;
    fn _mm_or_si128(a: __m128i, b: __m128i) -> __m128i;
    fn _mm_packs_epi32(a: __m128i, b: __m128i) -> __m128i;
    fn _mm_set1_epi16(a: i16) -> __m128i;
    fn _mm_set1_epi32(a: i32) -> __m128i;
    fn _mm_set1_ps(a: f32) -> __m128;
    fn _mm_setr_epi32(e3: i32, e2: i32, e1: i32, e0: i32) -> __m128i;
    fn _mm_sll_epi16(a: __m128i, count: __m128i) -> __m128i;
}

instructions! {
    Avx512 as "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma";
    fn _mm512_add_epi32(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_add_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_alignr_epi32<const IMM8: i32>(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_and_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_castpd256_pd512(a: __m256d) -> __m512d;
    fn _mm512_castpd_ps(a: __m512d) -> __m512;
    fn _mm512_castps128_ps512(a: __m128) -> __m512;
    fn _mm512_cmp_ps_mask<const IMM8: i32>(a: __m512, b: __m512) -> u16;
    fn _mm512_cmpeq_epi32_mask(a: __m512i, b: __m512i) -> u16;
    fn _mm512_cmpgt_epu16_mask(a: __m512i, b: __m512i) -> u32;
    fn _mm512_cmpgt_epu32_mask(a: __m512i, b: __m512i) -> u16;
    fn _mm512_cmpneq_epi32_mask(a: __m512i, b: __m512i) -> u16;
    fn _mm512_cvtepi32_epi16(a: __m512i) -> __m256i;
    fn _mm512_cvtepu16_epi32(a: __m256i) -> __m512i;
    fn _mm512_div_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_fmadd_ps(a: __m512, b: __m512, c: __m512) -> __m512;
    fn _mm512_fmsub_ps(a: __m512, b: __m512, c: __m512) -> __m512;
    fn _mm512_fnmadd_ps(a: __m512, b: __m512, c: __m512) -> __m512;
    fn _mm512_insertf32x4<const IMM8: i32>(a: __m512, b: __m128) -> __m512;
    fn _mm512_insertf64x4<const IMM8: i32>(a: __m512d, b: __m256d) -> __m512d;
    fn _mm512_mask_blend_ps(k: u16, a: __m512, b: __m512) -> __m512;
    fn _mm512_mask_expand_epi32(src: __m512i, k: u16, a: __m512i) -> __m512i;
    fn _mm512_maskz_expand_ps(k: u16, a: __m512) -> __m512;
    fn _mm512_max_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_min_epu16(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_min_epu32(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_min_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_mul_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_mullo_epi32(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_or_si512(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_permutex2var_ps(a: __m512, idx: __m512i, b: __m512) -> __m512;
    fn _mm512_permutexvar_ps(idx: __m512i, a: __m512) -> __m512;
    fn _mm512_rcp14_ps(a: __m512) -> __m512;
    fn _mm512_rsqrt14_ps(a: __m512) -> __m512;
    fn _mm512_set1_epi16(a: i16) -> __m512i;
    fn _mm512_set1_epi32(a: i32) -> __m512i;
    fn _mm512_set1_epi64(a: i64) -> __m512i;
    fn _mm512_set1_ps(a: f32) -> __m512;
    fn _mm512_setr_epi32(e15: i32, e14: i32, e13: i32, e12: i32, e11: i32, e10: i32, e9: i32, e8: i32,
        e7: i32, e6: i32, e5: i32, e4: i32, e3: i32, e2: i32, e1: i32, e0: i32) -> __m512i;
    fn _mm512_setzero_ps() -> __m512;
    fn _mm512_shuffle_epi32<const MASK: i32>(a: __m512i) -> __m512i;
    fn _mm512_shuffle_f32x4<const MASK: i32>(a: __m512, b: __m512) -> __m512;
    fn _mm512_shuffle_ps<const MASK: i32>(a: __m512, b: __m512) -> __m512;
    fn _mm512_sll_epi16(a: __m512i, count: __m128i) -> __m512i;
    fn _mm512_sll_epi32(a: __m512i, count: __m128i) -> __m512i;
    fn _mm512_sllv_epi32(a: __m512i, count: __m512i) -> __m512i;
    fn _mm512_sqrt_ps(a: __m512) -> __m512;
    fn _mm512_srli_epi64<const IMM8: u32>(a: __m512i) -> __m512i;
    fn _mm512_sub_epi32(a: __m512i, b: __m512i) -> __m512i;
    fn _mm512_sub_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_unpackhi_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_unpacklo_ps(a: __m512, b: __m512) -> __m512;
    fn _mm512_xor_ps(a: __m512, b: __m512) -> __m512;
}
