/* A kernel as a C program over its standard input and output, without a JSON library: every number that it
 * needs stands behind a known key. Dense binary32 heads, half-split. With the argument "wrong", keys turn
 * backward. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_plans = 256, most_pairs = 1024 };

struct plan {
  long rotary_dim;
  double attention_factor;
  double inv_freq[most_pairs];
};

struct tensor {
  long shape[4];
  size_t begin, end; /* bytes in the data */
};

static struct plan plans[most_plans];
static char* header;
static unsigned char* data;

static const char* after(const char* from, const char* key) {
  const char* at = from == NULL ? NULL : strstr(from, key);
  return at == NULL ? NULL : at + strlen(key);
}

static long number(const char* text) { return text == NULL ? 0 : strtol(text, NULL, 10); }

/* Reads where a tensor is; returns 0 if the message has none of that name. */
static int find(const char* name, struct tensor* tensor) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":{", name);
  const char* about = after(header, key);
  if (about == NULL) return 0;
  char* next = (char*)after(about, "\"shape\":[");
  for (int i = 0; i < 4; ++i) {
    tensor->shape[i] = strtol(next, &next, 10);
    if (*next++ != ',') break;
  }
  next = (char*)after(about, "\"data_offsets\":[");
  tensor->begin = (size_t)strtol(next, &next, 10);
  tensor->end = (size_t)strtol(next + 1, NULL, 10);
  return 1;
}

/* Reads one message; returns 0 at the end of the input. */
static int receive(void) {
  uint64_t length = 0;
  if (fread(&length, sizeof length, 1, stdin) != 1) return 0;
  header = realloc(header, length + 1);
  if (header == NULL || fread(header, 1, length, stdin) != length) exit(1);
  header[length] = '\0';
  size_t bytes = 0;
  for (const char* at = header; (at = after(at, "\"data_offsets\":[")) != NULL;) {
    const size_t end = (size_t)number(strchr(at, ',') + 1);
    bytes = end > bytes ? end : bytes;
  }
  data = realloc(data, bytes + 1);
  if (data == NULL || fread(data, 1, bytes, stdin) != bytes) exit(1);
  return 1;
}

static void send(const char* text, const void* bytes, size_t count) {
  const uint64_t length = strlen(text);
  fwrite(&length, sizeof length, 1, stdout);
  fwrite(text, 1, length, stdout);
  if (count > 0) fwrite(bytes, 1, count, stdout);
  fflush(stdout);
}

static void rotate(const struct plan* by, const struct tensor* tensor, const int32_t* positions, int backward,
                   double factor) {
  const long half = by->rotary_dim / 2, heads = tensor->shape[2], head_dim = tensor->shape[3];
  float* head = (float*)(data + tensor->begin);
  for (long token = 0; token < tensor->shape[0] * tensor->shape[1]; ++token)
    for (long h = 0; h < heads; ++h, head += head_dim)
      for (long pair = 0; pair < half; ++pair) {
        const double angle = positions[token] * by->inv_freq[pair];
        const float c = (float)(factor * cos(angle)), s = (float)(factor * sin(angle)) * (backward ? -1 : 1);
        const float x = head[pair], y = head[pair + half];
        head[pair] = x * c - y * s;
        head[pair + half] = x * s + y * c;
      }
}

int main(int count, char** words) {
  const int is_wrong = count > 1 && strcmp(words[1], "wrong") == 0;
  while (receive()) {
    const char* request = after(header, "\"request\":\"");
    struct plan* plan = &plans[number(after(header, "\"plan\":\"")) % most_plans];
    struct tensor query, positions;
    if (strncmp(request, "describe", 8) == 0) {
      send(
          "{\"__metadata__\":{\"status\":\"ok\",\"protocol\":\"1\",\"kernels\":\"[{\\\"name\\\":\\\"c-"
          "rope\\\","
          "\\\"promise\\\":\\\"angle-f64\\\",\\\"dtypes\\\":[\\\"f32\\\"],\\\"pairing\\\":\\\"half-split\\\","
          "\\\"axes\\\":1}]\"}}",
          NULL, 0);
    } else if (strncmp(request, "plan", 4) == 0) {
      plan->rotary_dim = number(after(header, "\"rotary_dim\":\""));
      plan->attention_factor = strtod(after(header, "\"attention_factor\":\""), NULL);
      if (!find("inv_freq", &query) || query.shape[0] > most_pairs) return 1;
      memcpy(plan->inv_freq, data + query.begin, query.end - query.begin);
      send("{\"__metadata__\":{\"status\":\"ok\"}}", NULL, 0);
    } else {
      const char* flags = after(header, "\"flags\":\"");
      const size_t length = strcspn(flags, "\"");
      char word[32] = "";
      snprintf(word, sizeof word, "%.*s", (int)length, flags);
      const double factor = strstr(word, "unit") != NULL ? 1 : plan->attention_factor;
      find("positions", &positions);
      char text[512] = "{\"__metadata__\":{\"status\":\"ok\"}";
      size_t end = 0;
      for (const char* const* name = (const char* const[]){"query", "key", NULL}; *name != NULL; ++name) {
        if (!find(*name, &query)) continue;
        const int backward = (strstr(word, "backward") != NULL) != (is_wrong && strcmp(*name, "key") == 0);
        rotate(plan, &query, (const int32_t*)(data + positions.begin), backward, factor);
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%ld,%ld,%ld,%ld],\"data_offsets\":[%zu,%zu]}", *name,
                 query.shape[0], query.shape[1], query.shape[2], query.shape[3], query.begin, query.end);
        end = query.end > end ? query.end : end;
      }
      strcat(text, "}");
      send(text, data, end);
    }
  }
  return 0;
}
