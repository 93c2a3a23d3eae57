// One run of tests: its log goes to a file, failures and skips to the reader, its counts to RESULTS/NAME.json.
// Usage: suite.mjs RESULTS NAME SECONDS COMMAND...
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [results, name, seconds, command, ...args] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;
const log = join(results, `${name}.log`);
const TOLD = /^(MongoDB|Kafka|Redis|Cluster|Skipped|Went without)[ :]/;

/** Stands in a report for a fault of no file: the run came to no end, to no test, or ended badly after its last test. */
const RUN = 'the run itself';
const first = await run('first', []);
const failed = first.testResults.filter(isRed).map((file) => file.name);
// In `npm test` red once is red. In the deep tier and on real engines and servers chance plays a part that no seed repeats, so a failed
// file runs once more, alone. It is named all the same, because a test that is sometimes red has found a fault, its own or the product's.
const isWorthAnother = name !== 'quick' && failed.length > 0 && failed.length <= 5 && !failed.includes(RUN);
const second = isWorthAnother ? await again() : undefined;
const kept = first.testResults.filter((file) => !second || !failed.includes(file.name));
const redFirst = second ? namesOf(first, 'failed') : [];
const undecided = redFirst.filter((test) => isUndecided(test, second)).map(toldOf);
const redAgain = namesOf({ testResults: [...kept, ...(second?.testResults ?? [])] }, 'failed').map(toldOf);
const red = [...new Set([...redAgain, ...undecided])];
const unsteady = redFirst.map(toldOf).filter((test) => !red.includes(test));
const counts = addUp([...kept, ...(second?.testResults ?? [])]);
counts.failed += undecided.length;
writeFileSync(join(results, `${name}.json`), JSON.stringify({ ...counts, unsteady, red, causes: causes() }));
for (const line of new Set(readFileSync(log, 'utf8').split('\n'))) if (TOLD.test(line)) console.log(line);
console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
console.log(`${name}: the slowest: ${slowest().join(', ')}`);

function slowest() {
  const files = first.testResults.map(({ name: file, startTime = 0, endTime = 0 }) => [
    (endTime - startTime) / 1000,
    file,
  ]);
  files.sort(([one], [other]) => other - one);
  return files.slice(0, 15).map(([took, file]) => `${relative(process.cwd(), file)} ${took.toFixed()} s`);
}

/** The end of the output may be all that a reader keeps, so what was red says why there. */
function causes() {
  const runs = [...first.testResults, ...(second?.testResults ?? [])];
  return runs.flatMap(({ status, message }) => (status === 'failed' && message ? [message.slice(0, 4_000)] : []));
}

function again() {
  console.log(`${name}: failed, and run once more alone: ${failed.join(' ')}`);
  return run('second', ['--runInBand', '--runTestsByPath', ...failed]);
}

/** Each test that ended so, and each file that failed although none of its tests did. */
function namesOf({ testResults }, end) {
  return testResults.flatMap(({ name: file, status, assertionResults = [] }) => {
    const tests = assertionResults.filter((test) => test.status === end).map(({ fullName }) => ({ file, fullName }));
    return status === end && end === 'failed' && tests.length === 0 ? [{ file }] : tests;
  });
}

/**
 * Whether a red test was neither green nor red when its file ran again: it was skipped, or its file did not run. A test that names
 * its seed has another name then, and the rest of its file decides.
 */
function isUndecided({ file, fullName }, { testResults }) {
  const tests = testResults.find((other) => other.name === file)?.assertionResults ?? [];
  const same = tests.find((test) => test.fullName === fullName);
  return same ? !['passed', 'failed'].includes(same.status) : !tests.some(({ status }) => status === 'passed');
}

function toldOf({ file, fullName }) {
  const place = relative(process.cwd(), file);
  return fullName === undefined ? place : `${place}: ${fullName}`;
}

async function run(attempt, more) {
  const output = join(results, `${name}.${attempt}.json`);
  const out = openSync(log, 'a');
  const jest = [...args, '--ci', '--json', `--outputFile=${output}`, ...more];
  // A run that comes to no end says how far it came.
  const env = { ...process.env, POSTROOM_TEST_PROGRESS: 'yes' };
  const end = await ended(spawn(command, jest, { stdio: ['ignore', out, out], env, detached: true }));
  const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : { testResults: [] };
  if (!report.testResults.some(isRed)) report.testResults.push(...faultsOfRun(report, end));
  for (const { message } of report.testResults) if (message) console.log(message.slice(0, 20_000));
  return report;
}

/**
 * The code or the signal that a run ends with. One that lasts too long, or that nobody waits for any more, ends with all its
 * processes: they would work on beside the suites that follow.
 */
async function ended(child) {
  const endAll = () => child.pid && process.kill(-child.pid, 'SIGKILL');
  const timer = setTimeout(endAll, Math.max(1_000, until - Date.now()));
  const leave = () => (endAll(), process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, leave);
  try {
    const [status, signal] = await once(child, 'exit');
    return status ?? signal;
  } catch (error) {
    return error.message;
  } finally {
    clearTimeout(timer);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, leave);
  }
}

/** A run that came to no end, or to no test at all, is as red as a failed one. */
function faultsOfRun({ testResults }, end) {
  if (end === 0 && addUp(testResults).passed > 0) return [];
  const why = `It ended with ${end}, ${addUp(testResults).passed} tests were green and none red.`;
  return [{ name: RUN, status: 'failed', message: `${why}\n${tail()}` }];
}

function tail() {
  return readFileSync(log, 'utf8').split('\n').slice(-100).join('\n');
}

function addUp(files) {
  const tests = files.flatMap(({ assertionResults = [] }) => assertionResults);
  const number = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const broken = files.filter((file) => isRed(file) && !file.assertionResults?.some(isRed));
  return {
    passed: number('passed'),
    failed: number('failed') + broken.length,
    skipped: number('pending', 'skipped', 'todo'),
  };
}

function isRed({ status }) {
  return status === 'failed';
}
