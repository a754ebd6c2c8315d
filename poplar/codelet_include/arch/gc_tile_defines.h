// Constants of the tile that codelets name: the status registers that are modelled, and contexts.
#pragma once

#define CTXT_WORKERS 6
#define CTXT_TOTAL 7
#define CTXT_SUPERVISOR 0

// The worker status register: its lowest bits are the worker's number.
#define CSR_W_WSR__INDEX 112
#define CSR_W_WSR__CTXTID_M1__SHIFT 0
#define CSR_W_WSR__CTXTID_M1__MASK 0x7

// Which tiles a supervisor waits for; only its own workers can be waited for inside of a codelet.
#define TEXCH_SYNCZONE_LOCAL 0

#define TREG_MVERTEX_BASE_REG 13
#define TMEM_BASE_ADDR 0x4C000
