"""Drives the sandbox with python-gitlab: creates one of each, pages through long lists, and prints what it read back as JSON."""

import json
import sys

import gitlab

url = sys.argv[1]
clients = {name: gitlab.Gitlab(url, private_token=f"sandbox-{name}") for name in ("alice", "bob", "maria")}
alice, bob, maria = (clients[name].projects.get("acme/sample") for name in ("alice", "bob", "maria"))
seen = {"client": gitlab.__version__}

created = alice.issues.create({"title": "From Python", "description": "Words", "labels": ["backend", "new"]})
issue = bob.issues.get(created.iid)
seen["issue"] = {"title": issue.title, "description": issue.description, "labels": issue.labels, "author": issue.author["username"]}

note = alice.issues.get(3).notes.create({"body": "A note"})
read = bob.issues.get(3).notes.get(note.id)
seen["note"] = {"same": read.id == note.id, "body": read.body, "author": read.author["username"]}

thread = alice.issues.get(3).discussions.create({"body": "Which one?"})
bob.issues.get(3).discussions.get(thread.id).notes.create({"body": "The first."})
notes = alice.issues.get(3).discussions.get(thread.id).attributes["notes"]
seen["discussion"] = [[one["author"]["username"], one["body"]] for one in notes]

alice.labels.create({"name": "scope::python", "color": "#336699"})
label = bob.labels.get("scope::python")
seen["label"] = {"name": label.name, "color": label.color}
label = alice.labels.get("scope::python")
label.new_name = "scope::other"
label.save()
seen["renamed"] = [one.name for one in bob.labels.list(search="scope::", iterator=True)]

read.awardemojis.create({"name": "thumbsup"})
seen["emoji"] = [[one.name, one.user["username"]] for one in bob.issues.get(3).notes.get(note.id).awardemojis.list(iterator=True)]

hook = maria.hooks.create({"url": "https://example.com/hook", "note_events": True, "token": "secret"})
hook = maria.hooks.get(hook.id)
seen["hook"] = {"url": hook.url, "note_events": hook.note_events, "token": "secret" in json.dumps(hook.attributes)}

member = maria.members.create({"user_id": 15, "access_level": gitlab.const.AccessLevel.REPORTER})
seen["member"] = alice.members_all.get(15).access_level

target = alice.issues.get(5)
for index in range(130):
    target.notes.create({"body": f"long {index}"})
listed = [one.body for one in target.notes.list(sort="asc", per_page=50, iterator=True) if one.body.startswith("long ")]
seen["list"] = {"count": len(listed), "ordered": listed == [f"long {index}" for index in range(130)]}
seen["total"] = target.notes.list(per_page=50, iterator=True).total

try:
    alice.hooks.list()
except gitlab.exceptions.GitlabListError as error:
    seen["refused"] = error.response_code

print(json.dumps(seen))
