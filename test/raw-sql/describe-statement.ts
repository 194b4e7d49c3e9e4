import type pg from 'pg';

export type Described = {
  /** PostgreSQL's numbers for the types of `$1`, `$2` …. */
  parameters: readonly number[];
  columns: readonly { name: string; type: number }[];
};

type Message = {
  dataTypeIDs?: number[];
  fields?: readonly { name: string; dataTypeID: number }[];
};

/**
 * Has PostgreSQL prepare a statement without running it. @returns what it says of its parameters and columns.
 * @throws PostgreSQL's error where the statement does not fit the tables.
 */
export function describeStatement(client: pg.Client, text: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    const described = { parameters: [] as number[], columns: [] as { name: string; type: number }[] };
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.once('parameterDescription', ({ dataTypeIDs = [] }: Message) => {
      described.parameters = dataTypeIDs;
    });
    // The methods that pg calls on a query when an answer arrives.
    client.query({
      submit(on: { parse(of: object): void; describe(of: object): void; sync(): void }) {
        on.parse({ name: '', text, types: [] });
        on.describe({ type: 'S', name: '' });
        on.sync();
      },
      handleRowDescription({ fields = [] }: Message) {
        described.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      },
      handleError(error: Error) {
        connection.removeAllListeners('parameterDescription');
        reject(error);
      },
      handleReadyForQuery: () => resolve(described),
    } as unknown as pg.Submittable);
  });
}
