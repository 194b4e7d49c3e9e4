/** One environment variable: how it is read, its default, and its line in docs/configuration.md. */
export type Definition<T> = {
  readonly variable: string;
  readonly parse: (raw: string) => T;
  /** The value if the variable is not set; undefined if it depends on the mode, or on other settings (read-settings.ts). */
  readonly defaultValue: T;
  readonly defaultByMode?: Readonly<Record<'test' | 'live', NonNullable<T>>>;
  readonly defaultInWords: string;
  readonly meaning: string;
  readonly example: string;
  /** The page on which operators may enter it where the environment does not set it. */
  readonly entryPage?: string;
  /**
   * True if no page may show it, even where its value is the path of a file. An address is shown, without the password that may
   * be in it (settings-in-force.ts).
   */
  readonly isSecret?: true;
};

/** A setting as it is written down: a default that is a plain value needs no words. */
type NewDefinition<T> = Omit<Definition<T>, 'defaultInWords'> & { readonly defaultInWords?: string };

export function define<T>(definition: NewDefinition<T>): Definition<T> {
  return { ...definition, defaultInWords: definition.defaultInWords ?? wordsFor(definition) };
}

function wordsFor<T>({ variable, defaultValue, defaultByMode }: NewDefinition<T>): string {
  if (defaultByMode)
    return `\`${defaultByMode.test}\` on a test site; \`${defaultByMode.live}\` on a live site`;
  if (defaultValue === undefined) throw new Error(`${variable} has a default that must be said in words`);
  return `\`${defaultValue}\``;
}
