import pg from 'pg';

/** Exits with 0 if a PostgreSQL answers at the given address. */
const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 });
await client.connect();
await client.end();
