/** Nothing yet: the number is kept for what is being written. */
export async function up(): Promise<void> {}
