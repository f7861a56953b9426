/** Stands for `import-again.ts` in React Native, whose files are all in the app (`react-native` in `package.json`). */

/** Rejects: all files are in the app, so there is no address to load from. */
export const importAgain = async (address: string): Promise<never> => {
  throw new Error(`${address} is not in the app`);
};
