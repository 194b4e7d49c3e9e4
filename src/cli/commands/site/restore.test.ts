import { describe, expect, it } from 'vitest';
import { commandInput } from '../../../../test/process/command-input.ts';
import { restore } from './restore.ts';

describe('restore', () => {
  it('refuses standard input, because it reads a backup twice', async () => {
    await expect(restore.checkInput?.(commandInput(['-']))).rejects.toThrow('write it to a file first');
  });
});
