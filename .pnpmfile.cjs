// The reference page needs one file of @scalar/api-reference, the bundle for browsers, in which everything is inside. Its
// dependencies, some hundred packages, would be installed by everyone and read by nobody; and the Node it asks for is only for
// rendering on a server.
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
