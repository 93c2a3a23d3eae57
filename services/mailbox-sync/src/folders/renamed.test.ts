import { describe, expect, it } from '@jest/globals';
import { renamedFolders } from './renamed.ts';

const known = (id: string, path: string, uidValidity: number, uidNext = 5) => ({ id, path, uidValidity, uidNext });
const listed = (path: string, uidValidity: number, uidNext = 5) => ({ path, status: { uidValidity, uidNext } });

describe('a folder under a new name', () => {
  it('keeps its id', () => {
    const renamed = renamedFolders(
      [known('one', 'Old', 7), known('two', 'Kept', 8)],
      [listed('New', 7), listed('Kept', 8)],
    );
    expect([...renamed]).toEqual([['New', 'one']]);
  });

  it('is a new one where the old one is still there, or counts its mail from another start', () => {
    expect(renamedFolders([known('one', 'Old', 7)], [listed('Old', 7), listed('Copy', 7)]).size).toBe(0);
    expect(renamedFolders([known('one', 'Old', 7)], [listed('New', 9)]).size).toBe(0);
  });

  it('is a new one where it has seen less mail than the old one had', () => {
    expect(renamedFolders([known('one', 'Old', 7, 50)], [listed('New', 7, 2)]).size).toBe(0);
  });

  it('is a new one where two could have become it', () => {
    expect(renamedFolders([known('one', 'A', 7), known('two', 'B', 7)], [listed('New', 7)]).size).toBe(0);
  });
});
