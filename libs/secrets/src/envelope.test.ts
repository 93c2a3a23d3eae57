import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rewrap, seal, unseal } from './envelope.ts';
import { makeFirstKey, readKeys, unreadableKeys, type MasterKey } from './key-folder.ts';
import { secretOf } from './secret.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

const owner = ['wsp_1', 'mbx_1'];
const newKey = (id: string): MasterKey => ({ id, bytes: randomBytes(32) });

describe('an envelope', () => {
  const master = newKey('a');
  const envelope = seal(secretOf('pässword'), owner, master);

  it('opens with its key for its owner, and never looks the same twice', () => {
    expect(unseal(envelope, owner, [newKey('b'), master]).reveal()).toBe('pässword');
    expect(seal(secretOf('pässword'), owner, master).sealed).not.toBe(envelope.sealed);
    expect(JSON.stringify(envelope)).not.toContain('word');
  });

  it.each([
    ['another mailbox', { ...envelope }, ['wsp_1', 'mbx_2'], [master]],
    ['another workspace', { ...envelope }, ['wsp_2', 'mbx_1'], [master]],
    ['a changed text', { ...envelope, sealed: seal(secretOf('x'), owner, master).sealed }, owner, [master]],
    ['a key of the same name', { ...envelope }, owner, [newKey('a')]],
    ['a key that is gone', { ...envelope }, owner, [newKey('b')]],
  ])('does not open for %s', (_what, changed, asked, keys) => {
    expect(() => unseal(changed, asked, keys)).toThrow();
  });

  it('is re-wrapped without its secret being sealed anew', () => {
    const next = newKey('b');
    const moved = rewrap(envelope, owner, [next, master], next);
    expect([moved.keyId, moved.sealed]).toEqual(['b', envelope.sealed]);
    expect(unseal(moved, owner, [next]).reveal()).toBe('pässword');
  });
});

describe('a folder of keys', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  it('is made with one key that only its owner reads, once', async () => {
    const keys = join(folder, 'keys');
    await makeFirstKey(keys, '2026-01-01');
    const [first] = (await readKeys(keys)).keys;
    await makeFirstKey(keys, '2026-02-02');
    expect(await readKeys(keys)).toEqual({ keys: [first], unreadable: [] });
    expect([await modeOf(keys), await modeOf(join(keys, '2026-01-01'))]).toEqual(['700', '600']);
    expect(first?.bytes).toHaveLength(32);
  });

  it('gives its newest key first, raw or as base64, and passes over what Kubernetes hides there', async () => {
    const [old, young] = [randomBytes(32), randomBytes(32)];
    await writeFile(join(folder, '2026-01-01'), old);
    await writeFile(join(folder, '2026-02-01'), `${young.toString('base64')}\n`);
    await writeFile(join(folder, '..data'), 'hidden');
    expect((await readKeys(folder)).keys).toEqual([
      { id: '2026-02-01', bytes: young },
      { id: '2026-01-01', bytes: old },
    ]);
  });

  it('names files that hold no key, without their content, and gives the other keys all the same', async () => {
    const key = randomBytes(32);
    await writeFile(join(folder, '2026-01-01'), key);
    await writeFile(join(folder, 'bad'), 'canary');
    await symlink(join(folder, 'nowhere'), join(folder, 'lost'));
    const { keys, unreadable } = await readKeys(folder);
    expect(keys).toEqual([{ id: '2026-01-01', bytes: key }]);
    expect(unreadable).toEqual(['lost', 'bad']);
    expect(unreadableKeys(unreadable)).toMatch(/32 bytes.*lost, bad\./);
  });

  it('gets no first key beside a file that holds none', async () => {
    await writeFile(join(folder, 'bad'), 'canary');
    await makeFirstKey(folder, '2026-01-01');
    expect(await readdir(folder)).toEqual(['bad']);
  });
});
