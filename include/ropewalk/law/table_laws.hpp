#pragma once
// The laws of tables, and of programs that are not kernels, by name: one list per kind of subject. A law that
// follows from another comes first, so that the more specific one fails first.

#include "ropewalk/law/table/attention_laws.hpp"
#include "ropewalk/law/table/axes_laws.hpp"
#include "ropewalk/law/table/bias_laws.hpp"
#include "ropewalk/law/table/bucket_laws.hpp"
#include "ropewalk/law/table/cos_sin_laws.hpp"
#include "ropewalk/law/table/frequency_laws.hpp"
#include "ropewalk/law/table/index_code_laws.hpp"
#include "ropewalk/law/table/learned_laws.hpp"
#include "ropewalk/law/table/query_scale_laws.hpp"
#include "ropewalk/law/table/sinusoidal_laws.hpp"
#include "ropewalk/law/table/slope_laws.hpp"
#include "ropewalk/law/table/transformer_xl_laws.hpp"
#include "ropewalk/law/table/xpos_laws.hpp"
