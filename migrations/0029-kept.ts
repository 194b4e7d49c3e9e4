/** Nothing yet: the number is kept for what is being written, which takes this file's place. */
export async function up(): Promise<void> {}
