import type { EventEmitter } from 'node:events';

/** The part of the driver's connection that is mended here. */
interface Connection extends EventEmitter {
  closed: boolean;
  error: Error | null;
  writeCommand(...args: unknown[]): Promise<void>;
}

let mended = false;

/**
 * mongodb 7.8.0 waits until the socket has taken a command, and hears only of the socket's errors meanwhile. Where the socket
 * closes without one, or has closed just before, it waits for ever, whatever limits the command has; where it closes with
 * one, that error is none after which the driver tries again. So the end of the connection ends the wait.
 */
export function mendMongodb(): void {
  if (mended) return;
  mended = true;
  const { Connection } = require('mongodb/lib/cmap/connection') as { Connection: { prototype: Connection } };
  const { prototype } = Connection;
  const { writeCommand } = prototype;
  prototype.writeCommand = async function writeOrFail(this: Connection, ...args): Promise<void> {
    let onClose!: () => void;
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new Error('the connection is closed'));
    });
    this.once('close', onClose);
    try {
      if (this.closed) onClose();
      await Promise.race([writeCommand.apply(this, args), closed]);
    } finally {
      this.off('close', onClose);
    }
  };
}
