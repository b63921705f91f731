#include "vectors/pack_files.hpp"

#include "output/output_file.hpp"

namespace ropewalk::vectors {

void write_companions(const std::filesystem::path& folder) {
  for (const embedded_file& first : pack_files()) {
    output::output_file file((folder / first.name).string());
    file.write(first.text);
    file.commit();
  }
}

}  // namespace ropewalk::vectors
