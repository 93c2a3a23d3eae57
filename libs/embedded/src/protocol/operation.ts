import { CommandError } from './errors.ts';

/** One command while it runs: what `currentOp` shows, `killOp` ends and `maxTimeMS` limits. */
export interface Operation {
  id: number;
  connection: number;
  command: string;
  namespace: string;
  session: string | undefined;
  startedAt: number;
  deadline: number;
  interrupted: CommandError | undefined;
  sliceEnd: number;
  keysExamined: number;
  docsExamined: number;
}

/** A command runs this long before it lets others run. */
const SLICE_MS = 4;
let ticks = 0;

export function createOperation(id: number, connection: number): Operation {
  const startedAt = performance.now();
  return {
    id,
    connection,
    command: '',
    namespace: '',
    session: undefined,
    startedAt,
    deadline: Infinity,
    interrupted: undefined,
    sliceEnd: startedAt + SLICE_MS,
    keysExamined: 0,
    docsExamined: 0,
  };
}

function beginSlice(operation: Operation): void {
  operation.sliceEnd = performance.now() + SLICE_MS;
}

/** Asked once for every document or key; looks at the clock only now and then. */
export function sliceIsOver(operation: Operation): boolean {
  ticks = (ticks + 1) & 31;
  return ticks === 0 && performance.now() > operation.sliceEnd;
}

export function assertMayGoOn(operation: Operation): void {
  if (operation.interrupted) throw operation.interrupted;
  if (performance.now() > operation.deadline) throw new CommandError(50, 'operation exceeded time limit');
}

/** Lets timers, sockets and other commands run, then goes on, unless the operation was ended meanwhile. */
export async function breathe(operation: Operation): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  assertMayGoOn(operation);
  beginSlice(operation);
}

export function interrupt(operation: Operation, error: CommandError): void {
  operation.interrupted ??= error;
}
