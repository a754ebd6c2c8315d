#pragma once

inline int shifted(int value) {
    return value + OFFSET;
}
