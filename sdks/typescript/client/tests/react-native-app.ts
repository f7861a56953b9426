/** All that an app with React Native can import. The test of Hermes bundles it. */

export * from "../src/adapters.js";
export * from "../src/icu.js";
export * from "../src/index.js";
export * from "../src/network.js";
export * from "../src/react-native.js";
export * from "../src/stores.js";
