// The server needs one file of @scalar/api-reference: its bundle for browsers, which contains all dependencies of the package. This
// hook therefore removes these dependencies. It also removes `engines`, which concerns only rendering on a server.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === '@scalar/api-reference') {
        manifest.dependencies = {};
        delete manifest.engines;
      }
      return manifest;
    },
  },
};
