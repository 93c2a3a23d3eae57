import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from './clock.ts';
import { createLog } from './log.ts';
import { watchVariables, type VariableChanges } from './variable-changes.ts';

const POLL_MS = 5_000;

describe('a variable whose file changes', () => {
  const log = createLog('test', 'silent');
  let folder = '';
  let clock = manualClock();
  let changes: VariableChanges;
  /** As Kubernetes does it: a new folder, and a link that is switched to it in one step. */
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), `${text}\n`);
    symlinkSync(name, join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'PASSWORD'));
  };
  const polls = async (times: number) => {
    for (let poll = 0; poll < times; poll++) {
      await untilAsleep(clock);
      await clock.advance(POLL_MS);
    }
    await untilAsleep(clock);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-variables-'));
    write('first', 'one');
    clock = manualClock();
    const files = new Map([['PASSWORD', { file: join(folder, 'PASSWORD'), text: 'one' }]]);
    changes = watchVariables(files, { clock, log });
  });
  afterEach(async () => {
    await changes.close();
    rmSync(folder, { recursive: true });
  });

  it('is told once, with the new text', async () => {
    const told: string[] = [];
    changes.on('PASSWORD', (text) => void told.push(text));
    await polls(2);
    write('second', 'two');
    await polls(3);
    expect(told).toEqual(['two']);
  });

  it('is told again while the new text cannot be used yet', async () => {
    const told: string[] = [];
    changes.on('PASSWORD', (text) => {
      told.push(text);
      if (told.length < 3) throw new Error('unknown password');
    });
    write('second', 'two');
    await polls(5);
    expect(told).toEqual(['two', 'two', 'two']);
  });

  it('stays as it was while its file is gone or empty, and where it has none', async () => {
    const told: string[] = [];
    changes.on('PASSWORD', (text) => void told.push(text));
    changes.on('OTHER', (text) => void told.push(text));
    write('empty', '');
    await polls(1);
    rmSync(join(folder, 'PASSWORD'));
    await polls(1);
    expect(told).toEqual([]);
  });
});

async function untilAsleep(clock: { sleeping: number }): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
}
