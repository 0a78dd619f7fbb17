/// A static HDF5 that was built with its driver for files on Amazon S3 (Debian 13's) refers to libcurl and
/// OpenSSL, which nothing here uses and the portable folder shall not carry. These take their place: the
/// driver, if an environment variable asks for it, finds that it cannot begin. cmake/GridmarkLibraries.cmake
/// compiles this file only where the library cannot be linked without it. The types are those of the two
/// libraries' headers, as far as a call of a C function tells them apart.
extern "C" {
using CurlOption = int;
constexpr int curl_failed_init = 2;  // CURLE_FAILED_INIT

int curl_global_init(long) {
    return curl_failed_init;
}
void curl_global_cleanup() {}
void* curl_easy_init() {
    return nullptr;
}
int curl_easy_setopt(void*, CurlOption, ...) {
    return curl_failed_init;
}
int curl_easy_perform(void*) {
    return curl_failed_init;
}
void curl_easy_cleanup(void*) {}
void* curl_slist_append(void*, const char*) {
    return nullptr;
}
void curl_slist_free_all(void*) {}

const void* EVP_sha256() {
    return nullptr;
}
unsigned char* HMAC(const void*, const void*, int, const unsigned char*, unsigned long, unsigned char*,
                    unsigned*) {
    return nullptr;
}
unsigned char* SHA256(const unsigned char*, unsigned long, unsigned char*) {
    return nullptr;
}
}
