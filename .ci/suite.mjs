// One run of tests: its log goes to a file, failures and skips to the reader, its counts to RESULTS/NAME.json.
// Usage: suite.mjs RESULTS NAME SECONDS COMMAND...
import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [results, name, seconds, command, ...args] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;
const log = join(results, `${name}.log`);
const TOLD = /^(MongoDB|Kafka|Redis|Cluster|Skipped|Went without)[ :]/;

const NO_REPORT = 'no report';
const first = run('first', []);
const failed = first.testResults.filter(({ status }) => status === 'failed').map((file) => file.name);
// In `npm test` red once is red. In the deep tier and on real engines and servers chance plays a part that no seed repeats, so a failed
// file runs once more, alone. It is named all the same, because a test that is sometimes red has found a fault, its own or the product's.
const isWorthAnother = name !== 'quick' && failed.length > 0 && failed.length <= 5 && failed[0] !== NO_REPORT;
const second = isWorthAnother ? again() : undefined;
const kept = first.testResults.filter((file) => !second || !failed.includes(file.name));
const counts = addUp([...kept, ...(second?.testResults ?? [])]);
const unsteady = second ? namesOf(first, 'failed').filter((test) => namesOf(second, 'passed').includes(test)) : [];
const red = [...new Set([...namesOf({ testResults: kept }, 'failed'), ...(second ? namesOf(second, 'failed') : [])])];
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

/** Each file and each test that ended so. A file counts as failed by itself where none of its tests did. */
function namesOf({ testResults }, end) {
  return testResults.flatMap(({ name: file, status, assertionResults = [] }) => {
    const place = relative(process.cwd(), file);
    const tests = assertionResults.filter((test) => test.status === end).map(({ fullName }) => `${place}: ${fullName}`);
    const isOwn = status === end && (end === 'passed' || tests.length === 0);
    return isOwn ? [place, ...tests] : tests;
  });
}

function run(attempt, more) {
  const output = join(results, `${name}.${attempt}.json`);
  const [out, timeout] = [openSync(log, 'a'), Math.max(1_000, until - Date.now())];
  const jest = [...args, '--ci', '--json', `--outputFile=${output}`, ...more];
  // A run that comes to no end says how far it came.
  const env = { ...process.env, POSTROOM_TEST_PROGRESS: 'yes' };
  const { error } = spawnSync(command, jest, { stdio: ['ignore', out, out], timeout, killSignal: 'SIGTERM', env });
  if (error) console.log(`${name}: ${error.message}`);
  // A run that came to no end, or to no test at all, is as red as a failed one.
  const none = { testResults: [{ name: NO_REPORT, status: 'failed', message: tail() }] };
  const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : none;
  for (const { message } of report.testResults) if (message) console.log(message.slice(0, 20_000));
  return report;
}

function tail() {
  return readFileSync(log, 'utf8').split('\n').slice(-100).join('\n');
}

function addUp(files) {
  const tests = files.flatMap(({ assertionResults = [] }) => assertionResults);
  const number = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const broken = files.filter((file) => file.status === 'failed' && !file.assertionResults?.some(isRed));
  return {
    passed: number('passed'),
    failed: number('failed') + broken.length,
    skipped: number('pending', 'skipped', 'todo'),
  };
}

function isRed({ status }) {
  return status === 'failed';
}
