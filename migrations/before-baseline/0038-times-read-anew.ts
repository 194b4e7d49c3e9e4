/**
 * Read opening times again that a source writes in its own way: “5:00pm” used to mean five in the morning. Today they are read once all
 * migrations are done, because a database this old has no `service_offers`, and each service without that row is read again.
 */
export async function up(): Promise<void> {}
