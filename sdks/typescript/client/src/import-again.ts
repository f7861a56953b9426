/** Loads a file by its address. React Native can't build an `import()` without a literal: there `import-once.ts` stands for this file. */

/** Returns what the file at an address exports. */
export const importAgain = (address: string) => import(/* @vite-ignore */ /* webpackIgnore: true */ address);
