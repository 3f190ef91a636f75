"""Throughput as text: the columns of its tables, its headline and its notes."""

from __future__ import annotations

from docparse.bench.report import Report
from docparse.bench.rows import AR, Throughput
from docparse.bench.show.columns import MIB, Column
from docparse.bench.show.headline import Headline

COLUMNS = (
    Column("batch size", lambda each: each.batch, "{}", "outputs decoded at once, at most"),
    Column("pages/min", lambda each: each.pages_per_minute, "{:.1f}", bar=True),
    Column("speedup", lambda each: each.speedup, meaning=f"pages/min over those of {AR} at batch size 1"),
    Column("tokens/min", lambda each: each.tokens_per_minute, "{:,.0f}"),
    Column("page s", lambda each: each.latency, meaning="from where it leaves the queue to its end, median"),
    Column("page s p90", lambda each: each.latency_p90),
    Column("passes", lambda each: each.passes, "{:,}", "of the decoder after the prompts"),
    Column("rows/pass", lambda each: each.rows_per_pass, "{:.1f}", "outputs that share one, mean"),
    Column("KV MiB", lambda each: each.kv_bytes / MIB, "{:.1f}", "the cache of all of them together, the most"),
    Column("pages", lambda each: each.pages, "{}"),
    Column("differ", lambda each: each.different, "{}", f"of these, not as {AR} at batch size 1 wrote them"),
)
LEGEND = " ".join(f"{column.name}: {column.meaning}." for column in COLUMNS if column.meaning)


def title(report: Report, load: Throughput) -> str:
    return f"{load.model}, {report.data}, drafts: {report.drafted}: throughput"


def preparing(load: Throughput) -> str:
    """Return what came before the model, in a sentence."""
    what = "Rendering and the pipeline" if "pipeline" in load.preparing else "Rendering"
    rate = 60 * load.pages / (sum(load.preparing.values()) or 1.0)
    return f"{what}: {rate:.1f} pages/min, before all others and in none of their numbers."


def best(report: Report, load: Throughput) -> Headline:
    """Return the most pages a minute among what read all pages, beside plain decoding's most."""
    whole = [each for each in load.points if each.pages == load.pages]
    first = max(whole, key=lambda each: each.pages_per_minute)
    plain = max((each for each in whole if each.method == AR), key=lambda each: each.pages_per_minute)
    parts = [f"{first.pages_per_minute:.1f} pages/min", f"{first.speedup:.2f}× {AR} at batch size 1"]
    if first.method != AR:
        ratio = first.pages_per_minute / plain.pages_per_minute
        parts.append(f"{ratio:.2f}× the most of {AR} ({plain.pages_per_minute:.1f}, batch size {plain.batch})")
        parts.append(f"{report.drafted} drafts, their cost apart")
    parts.append(f"a page in {first.latency:.2f} s")
    same = f"{first.different} of {first.pages} outputs differ" if first.different else "all outputs identical"
    parts.append(f"{same}, {first.pages} page{'s' * (first.pages != 1)}")
    what = f"most pages a minute: {first.method}, batch size {first.batch}"
    return Headline(f"{first.speedup:.2f}×", what, ", ".join(parts))
