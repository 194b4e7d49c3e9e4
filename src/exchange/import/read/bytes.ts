/** The bytes of a file, from a disk, the network or a test. */
export type Bytes = AsyncIterable<Uint8Array>;
