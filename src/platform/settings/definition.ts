/** One environment variable: how it is read, its default, and its line in docs/configuration.md. */
export type Definition<T> = {
  readonly variable: string;
  readonly parse: (raw: string) => T;
  /** The value if the variable is not set; undefined if read-settings.ts works it out. */
  readonly defaultValue: T;
  readonly defaultInWords: string;
  readonly meaning: string;
  readonly example: string;
};

export const define = <T>(definition: Definition<T>): Definition<T> => definition;
