namespace gridmark::harness {
int program(int argc, char** argv);
}

int main(int argc, char** argv) {
    return gridmark::harness::program(argc, argv);
}
